import { wordsOf } from '../../parts/words/words.ts'

/** The types of a counterparty that an endpoint may be registered as, with their names. */
export const COUNTERPARTY_TYPES = [
  { value: 'api', label: 'API' },
  { value: 'mcp_server', label: 'MCP server' },
  { value: 'website', label: 'Website' },
  { value: 'agent', label: 'Agent callback' },
] as const

/** Names the type of a counterparty; one that is not offered is spelled out. */
export function nameCounterpartyType(type: string): string {
  return COUNTERPARTY_TYPES.find(({ value }) => value === type)?.label ?? wordsOf(type)
}
