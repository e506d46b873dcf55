-- Place among the sources, the least trusted first.
list_position($sources, source)
