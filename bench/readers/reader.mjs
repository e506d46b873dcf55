// A release as Node's users read it: `node reader.mjs READER RELEASE` prints the same as reader.py.
import { readFileSync } from "node:fs";
import { join } from "node:path";

const [reader, release] = process.argv.slice(2);
const { tables, marts } = JSON.parse(readFileSync(join(release, "manifest.json"), "utf8"));
const version = (name) => 
  JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url), "utf8")).version;

async function* ofDuckDB() {
  const { DuckDBInstance } = await import("@duckdb/node-api");
  const instance = await DuckDBInstance.create(join(release, "paperlake.duckdb"), { access_mode: "READ_ONLY" });
  const lake = await instance.connect();
  for (const [layer, held] of [["core", tables], ["mart", marts]]) {
    for (const { name } of held) {
      yield [name, (await lake.runAndReadAll(`FROM ${layer}.${name}`)).getColumnsObjectJS()];
    }
  }
}

async function* ofHyparquet() {
  const { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects, parquetSchema } = await import("hyparquet");
  const { compressors } = await import("hyparquet-compressors");
  for (const { name, files } of [...tables, ...marts]) {
    const columns = {};
    for (const { key } of files) {
      const file = await asyncBufferFromFile(join(release, key));
      const rows = await parquetReadObjects({ file, compressors });
      for (const { element } of parquetSchema(await parquetMetadataAsync(file)).children) {
        columns[element.name] = [...(columns[element.name] ?? []), ...rows.map((row) => row[element.name])];
      }
    }
    yield [name, columns];
  }
}

function weight(value) {
  if (value === null || value === undefined) return 0;
  if (value instanceof Date) return value.getTime() / 1000;
  if (typeof value === "string") return Buffer.from(value).reduce((sum, byte) => sum + byte, 0);
  if (typeof value === "object") return Object.values(value).reduce((sum, one) => sum + weight(one), 0);
  return Number(value);
}

function measured(values) {
  const there = values.filter((value) => value !== null && value !== undefined);
  return [there.length, there.reduce((sum, value) => sum + weight(value), 0)];
}

const [name, read] = { "duckdb for Node": ["@duckdb/node-api", ofDuckDB], hyparquet: ["hyparquet", ofHyparquet] }[reader];
const found = {};
for await (const [table, columns] of read()) {
  found[table] = Object.fromEntries(Object.entries(columns).map(([column, values]) => [column, measured(values)]));
}
console.log(JSON.stringify({ version: version(name), tables: found }));
