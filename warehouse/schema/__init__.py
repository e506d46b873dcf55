"""Declarations of tables, columns, macros and their rules, each made once. Nothing here reads or writes data."""
