"""Readers, one a layout of the source: bytes in, sightings out. `transforms/collect/read_page.py` chooses one."""
