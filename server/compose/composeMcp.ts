import type { Config } from '../config.ts'
import { readDocuments } from '../external/readDocuments.ts'
import type { McpParts } from '../routes/mcp/createMcpTools.ts'
import { indexSections, type SectionIndex } from '../services/mcp/indexSections.ts'

export type ComposeMcpDeps = {
  config: Pick<Config, 'publicUrl' | 'appUrl'>
  signedBy: McpParts['mcp']['signedBy']
  version: string
  /** Folder with README.md and docs/. */
  root: string
}

/** Wires up the MCP server; the documents are read and indexed at the first search. */
export function composeMcp({ config, signedBy, version, root }: ComposeMcpDeps) {
  const { publicUrl, appUrl } = config
  let reading: Promise<SectionIndex> | null = null
  const index = () => {
    reading ??= readDocuments(root).then(indexSections)
    return reading
  }
  return {
    version,
    publicUrl,
    origins: new Set([publicUrl, appUrl].map((address) => new URL(address).origin)),
    signedBy,
    index,
  }
}
