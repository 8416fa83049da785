// Empty: a package with a file of assembly may declare functions that are linked by name.
