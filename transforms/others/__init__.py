"""Numbers that are of others: of a baseline, of people, or of work before, that the own result is set against."""
