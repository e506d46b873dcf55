"""What is kept: tables, columns, macros and their rules, declared once. Nothing here reads or writes."""
