import { type IndexedSection, indexSections } from '@svc/core/search/rankSections.ts'
import type { Config } from '../config.ts'
import { readDocuments } from '../external/readDocuments.ts'
import type { McpServices } from '../services/mcp/mcpServices.ts'
import { searchDocs } from '../services/mcp/searchDocs.ts'

export type ComposeMcpDeps = {
  config: Pick<Config, 'publicUrl' | 'appUrl'>
  signedBy: McpServices['signedBy']
  version: string
  /** Folder with README.md and docs/. */
  root: string
}

/** Binds what the MCP server needs; the documents are read when somebody first asks for them. */
export function composeMcp({ config, signedBy, version, root }: ComposeMcpDeps): McpServices {
  const { publicUrl, appUrl } = config
  let reading: Promise<IndexedSection[]> | null = null
  const sections = () => {
    reading ??= readDocuments(root).then(indexSections)
    return reading
  }
  return {
    version,
    publicUrl,
    origins: new Set([publicUrl, appUrl].map((address) => new URL(address).origin)),
    signedBy,
    searchDocs: (input) => searchDocs({ sections }, input),
  }
}
