import { isObject, type Message } from './jsonRpc.ts'

/** Where each request of revision 2026-07-28 states what its client can do. */
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'

/**
 * Whether a request says that its client can lead the user to an address: `initialize`, or any of revision 2026-07-28.
 *
 * Source: MCP 2025-11-25 "Elicitation", capabilities.
 */
export function canOpenUrls({ params }: Message): boolean {
  if (!isObject(params)) return false
  const stated = isObject(params._meta) ? params._meta[CAPABILITIES] : undefined
  return hasUrlMode(params.capabilities) || hasUrlMode(stated)
}

function hasUrlMode(capabilities: unknown): boolean {
  return (
    isObject(capabilities) && isObject(capabilities.elicitation) && isObject(capabilities.elicitation.url)
  )
}
