"""The skills extension (SEP-2640): the file SKILL.md, by its own methods and as a resource."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.server.extension import Extension, MethodBinding, ResourceBinding
from mcp.server.mcpserver.resources import TextResource
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, RequestParams

from flows.documents.edition import NAME
from flows.documents.for_agents import SKILL, SKILL_FOR

URI: Final = f"skill://{NAME}/{SKILL}"
MARKDOWN: Final = "text/markdown"


class SkillNamed(RequestParams):
    """The parameters of `skills/get`."""

    name: str


class Skills(Extension):
    """One skill: how to ask this lake, and what its answers mean."""

    identifier = "io.modelcontextprotocol/skills"

    def __init__(self, text: str) -> None:
        self._text = text

    def resources(self) -> Sequence[ResourceBinding]:
        """The skill at its address."""
        return [
            ResourceBinding(TextResource(uri=URI, name=SKILL, mime_type=MARKDOWN, text=self._text)),
        ]

    def methods(self) -> Sequence[MethodBinding]:
        """`skills/list` and `skills/get`."""
        return [
            MethodBinding("skills/list", RequestParams, self._list),
            MethodBinding("skills/get", SkillNamed, self._get),
        ]

    async def _list(self, _: ServerRequestContext[Any, Any], __: RequestParams) -> dict[str, Any]:
        return {"skills": [self._described()], "resultType": "complete"}

    async def _get(self, _: ServerRequestContext[Any, Any], params: SkillNamed) -> dict[str, Any]:
        if params.name != NAME:
            raise MCPError(code=INVALID_PARAMS, message=f"the only skill is {NAME}")
        return {**self._described(), "content": self._text, "resultType": "complete"}

    def _described(self) -> dict[str, Any]:
        data = self._text.encode()
        file = {"uri": URI, "mimeType": MARKDOWN, "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
        return {"name": NAME, "description": SKILL_FOR, "resources": [file]}
