"""Tables cut by cohort, the papers of one period, so that a build touches only files with something new."""
