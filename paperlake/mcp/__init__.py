"""The MCP server: a release for programs that ask on somebody's behalf. Ten tools that read; nothing writes."""
