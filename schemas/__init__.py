"""What data must look like: the suites of the tables, and the records of the YAML files.

Import from the modules themselves: `schemas.gate`, `schemas.benchmark_spec`,
`schemas.run_spec`, `schemas.<table>`.
"""

__all__: list[str] = []
