"""The cut of tables by cohort: papers of one time, so that a build touches the files of what is new alone."""
