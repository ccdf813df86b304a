import { BaseError, decodeErrorResult, type Hex, isHex } from 'viem'
import { auditLog } from './artifacts/auditLog.ts'
import { identityRegistry } from './artifacts/identityRegistry.ts'
import { saysExecutionFailed } from './nodeFailure.ts'

/** Why a contract rejected a call. */
export type Refusal = {
  /** Name of the custom error, `Error` for a revert string, `Unknown` if the node gives no details. */
  name: string
  /** Human-readable. */
  message: string
}

const ERRORS = [...identityRegistry.abi, ...auditLog.abi].filter((item) => item.type === 'error')

/**
 * Extracts a contract's refusal from a failed call; null if something other than the contract failed.
 *
 * Nodes put the revert data at different levels of the error, so all levels are searched.
 */
export function decodeRefusal(error: unknown): Refusal | null {
  if (!(error instanceof BaseError)) return null
  const data = revertDataOf(error)
  if (data !== null) return describe(data)
  const text = `${error.shortMessage} ${error.details ?? ''}`
  return saysExecutionFailed(text) ? { name: 'Unknown', message: text.trim() } : null
}

function revertDataOf(error: BaseError): Hex | null {
  let data: Hex | null = null
  error.walk((inner) => {
    if (data === null && typeof inner === 'object' && inner !== null && 'data' in inner) {
      data = findBytes(inner.data)
    }
    return false
  })
  return data
}

function findBytes(value: unknown): Hex | null {
  if (isHex(value)) return value.length >= 10 ? value : null
  return typeof value === 'object' && value !== null && 'data' in value ? findBytes(value.data) : null
}

function describe(data: Hex): Refusal {
  try {
    const { errorName, args } = decodeErrorResult({ abi: ERRORS, data })
    const values = (args ?? []).map(String).join(', ')
    return { name: errorName, message: `${errorName}(${values})` }
  } catch {
    return { name: 'Unknown', message: `reverted with ${data.slice(0, 10)}` }
  }
}
