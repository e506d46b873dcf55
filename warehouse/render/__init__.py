"""What the declarations of the tables are rendered to. Pure: tables in, text out."""
