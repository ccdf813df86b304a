import type { Pdlss } from '../pdlss/pdlss.ts'
import type { ProtocolPrefill } from './commerceProtocol.ts'
import { prefillOf } from './prefillOf.ts'
import type { Protocol } from './protocols.ts'

const DEFAULT_CURRENCY = 'USD'

/**
 * The boundary with what declarations say of it in every field that was left open; a field that was written stays.
 *
 * Of several declarations the lowest spend cap wins, lists are joined, the currency is the first that is not USD in the
 * order of `declared`. A cap fills both limits, brought to where a written threshold leaves room for it, so that
 * autonomousThreshold ≤ stepUpThreshold ≤ approvalThreshold holds. Lists may grow beyond what a boundary holds: parse
 * the result.
 *
 * Source: Spec: Commerce protocol declarations, multi-protocol merge; protocols.md.
 */
export function prefillPdlss(written: Pdlss, declared: readonly (readonly [Protocol, unknown])[]): Pdlss {
  const prefills = declared.map(([protocol, block]) => prefillOf(protocol, block))
  const joined = (listOf: (prefill: ProtocolPrefill) => readonly (string | undefined)[] | undefined) => {
    const items = prefills.flatMap((prefill) => listOf(prefill) ?? []).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : [...new Set(items)]
  }
  const filled = {
    purpose: filling(written.purpose, { categories: joined(({ categories }) => categories) }),
    duration: written.duration,
    limits: filling(written.limits, limitsOf(prefills, written.limits)),
    scope: filling(written.scope, {
      jurisdictions: joined(({ jurisdictions }) => jurisdictions?.map((code) => code.toUpperCase())),
      counterparties: joined(({ counterparties }) => counterparties),
    }),
    selfInstantiation: filling(written.selfInstantiation, {
      allowed: prefills.some(({ allowsSubAgents }) => allowsSubAgents === true) || undefined,
    }),
  }
  return stated(filled)
}

function limitsOf(prefills: readonly ProtocolPrefill[], written: Pdlss['limits'] = {}) {
  const caps = prefills.flatMap(({ spendMax }) => spendMax ?? [])
  const currencies = prefills.flatMap(({ currency }) => currency ?? [])
  const currency = currencies.find((code) => code !== DEFAULT_CURRENCY) ?? currencies[0]
  if (caps.length === 0) return { currency }
  const cap = Math.min(...caps)
  const { autonomousThreshold = 0, stepUpThreshold, approvalThreshold } = written
  const above = [stepUpThreshold, approvalThreshold].filter((value) => value !== undefined)
  return {
    currency,
    autonomousThreshold: Math.min(cap, ...above),
    approvalThreshold: Math.max(cap, autonomousThreshold, stepUpThreshold ?? 0),
  }
}

/** The written fields, and of the others those that are known; undefined where there is neither. */
function filling<Dimension extends object>(
  written: Dimension | undefined,
  known: Partial<Dimension>,
): Dimension | undefined {
  const found = stated({ ...known, ...written })
  return written === undefined && Object.keys(found).length === 0 ? undefined : (found as Dimension)
}

function stated<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}
