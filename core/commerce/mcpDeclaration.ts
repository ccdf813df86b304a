import { declarationParts } from './declarationParts.ts'

const { text, url, block } = declarationParts

/**
 * The MCP server through which others use the agent. It does not affect the boundary.
 *
 * Source: EIP-8004 "Agent Registration File" (the service `MCP`); MCP 2025-11-25 "Versioning".
 */
export const mcpDeclaration = block({
  endpoint: url.describe('URL of the MCP server.'),
  version: text.optional().describe('Revision of the protocol, such as 2025-11-25.'),
})
