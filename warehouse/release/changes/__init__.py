"""What differs between two releases, cell by cell, and what each difference is due to."""
