type Block = Readonly<Record<string, unknown>>

const PROTOCOL_VERSION = '1.0'

/** The A2A interfaces that a declaration states: one, or none without a URL. Source: A2A 1.0 §4.4.6. */
export function interfacesOf(a2a: Block) {
  const { agentUrl: url, transport } = a2a
  if (typeof url !== 'string') return []
  const protocolBinding = typeof transport === 'string' ? transport : 'JSONRPC'
  return [{ url, protocolBinding, protocolVersion: PROTOCOL_VERSION }]
}
