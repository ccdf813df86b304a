import type { Protocol } from '@svc/core/commerce/commerceProtocol.ts'
import { protocolFields } from '@svc/core/commerce/protocolFields.ts'
import type { DraftValues } from './agentDraft.ts'

/** The block of a protocol from what was entered, field by its path; null when nothing was. */
export function declarationBlock(protocol: Protocol, values: DraftValues): Record<string, unknown> | null {
  const block: Record<string, unknown> = {}
  for (const { name, type } of protocolFields[protocol]) {
    const value = values[name]
    if (value === undefined || value === '' || value === false) continue
    if (Array.isArray(value) && value.length === 0) continue
    put(block, name.split('.'), type === 'json' && typeof value === 'string' ? jsonOr(value) : value)
  }
  return Object.keys(block).length === 0 ? null : block
}

function put(block: Record<string, unknown>, [first = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) {
    block[first] = value
    return
  }
  const inner = (block[first] ?? {}) as Record<string, unknown>
  block[first] = inner
  put(inner, rest, value)
}

/** What is no JSON stays text, which the check of the field then refuses. */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
