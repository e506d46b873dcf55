# A release as R's users read it: `Rscript reader.R nanoparquet RELEASE` prints the same as reader.py.
# Of `sightings`, which has lists of structures, nanoparquet says that it cannot be read.
release <- commandArgs(trailingOnly = TRUE)[2]

weight <- function(value) {
  if (is.list(value)) sum(vapply(value, weight, 0))
  else if (is.character(value)) sum(as.numeric(unlist(lapply(value[!is.na(value)], charToRaw))))
  else if (inherits(value, "Date")) sum(as.numeric(value) * 86400, na.rm = TRUE)
  else sum(as.numeric(value), na.rm = TRUE)
}

measured <- function(values) {
  there <- if (is.list(values)) !vapply(values, is.null, TRUE) else !is.na(values)
  sprintf("[%d, %.17g]", sum(there), weight(values[there]))
}

table <- function(folder) {
  files <- if (dir.exists(folder)) Sys.glob(file.path(folder, "*.parquet")) else folder
  columns <- do.call(rbind, lapply(files, nanoparquet::read_parquet))
  told <- sprintf('"%s": %s', names(columns), vapply(columns, measured, ""))
  sprintf('"%s": {%s}', sub(".parquet", "", basename(folder)), paste(told, collapse = ", "))
}

places <- Sys.glob(file.path(release, c("data", "marts"), "*"))
seen <- vapply(places[basename(places) != "sightings"], table, "")
cat(sprintf('{"version": "%s", "tables": {%s}}\n', packageVersion("nanoparquet"), paste(seen, collapse = ", ")))
