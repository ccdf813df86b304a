import { BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { auditLog } from './artifacts/auditLog.ts'
import { identityRegistry } from './artifacts/identityRegistry.ts'

/** Why a contract did not take a call. */
export type Refusal = {
  /** Name of the custom error, `Error` for a reason string, `Unknown` when the node tells no more. */
  name: string
  /** For people. */
  message: string
}

const ERRORS = [...identityRegistry.abi, ...auditLog.abi].filter((item) => item.type === 'error')

/**
 * Reads out of a failed call what the contract said; null when it was not the contract that failed.
 *
 * Nodes put the bytes of a revert in different places of their error, so every level is looked at.
 */
export function decodeRefusal(error: unknown): Refusal | null {
  if (!(error instanceof BaseError)) return null
  const data = revertDataOf(error)
  if (data !== null) return readable(data)
  const text = `${error.shortMessage} ${error.details ?? ''}`
  return /revert|out of gas|gas required exceeds/i.test(text)
    ? { name: 'Unknown', message: text.trim() }
    : null
}

function revertDataOf(error: BaseError): Hex | null {
  let data: Hex | null = null
  error.walk((inner) => {
    if (data === null && typeof inner === 'object' && inner !== null && 'data' in inner) {
      data = bytesIn(inner.data)
    }
    return false
  })
  return data
}

function bytesIn(value: unknown): Hex | null {
  if (isHex(value)) return value.length >= 10 ? value : null
  return typeof value === 'object' && value !== null && 'data' in value ? bytesIn(value.data) : null
}

function readable(data: Hex): Refusal {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data })
    const values = (args ?? []).map(String).join(', ')
    return { name: errorName, message: `${errorName}(${values})` }
  } catch {
    return { name: 'Unknown', message: `reverted with ${data.slice(0, 10)}` }
  }
}
