import { isJsonObject } from '../json.ts'
import type { Pdlss } from '../pdlss/pdlss.ts'
import { DEFAULT_CURRENCY, type Protocol, type ProtocolPrefill } from './commerceProtocol.ts'
import { commerceProtocols } from './commerceProtocols.ts'

/**
 * Fills in the open fields of a boundary from protocol declarations. A field that the owner wrote is never changed.
 *
 * With several declarations, the lowest spend cap applies, lists are merged, and the currency is the first in the order of
 * `declared` that is not USD. A cap is in USD if no declaration names a currency. It sets both limits, adjusted to the
 * written thresholds so that autonomousThreshold ≤ stepUpThreshold ≤ approvalThreshold. Merged lists may be longer than a
 * boundary allows, so parse the result.
 *
 * Source: Spec: Commerce protocol declarations, multi-protocol merge; docs/protocols.md.
 */
export function prefillPdlss(written: Pdlss, declared: readonly (readonly [Protocol, unknown])[]): Pdlss {
  const prefills = declared.map(([protocol, block]) => commerceProtocols[protocol].prefill(block))
  const joined = (listOf: (prefill: ProtocolPrefill) => readonly (string | undefined)[] | undefined) => {
    const items = prefills.flatMap((prefill) => listOf(prefill) ?? []).filter((item) => item !== undefined)
    return items.length === 0 ? undefined : [...new Set(items)]
  }
  const filled = {
    purpose: fillDimension(written.purpose, { categories: joined(({ categories }) => categories) }),
    duration: written.duration,
    limits: fillDimension(written.limits, limitsOf(prefills, written.limits)),
    scope: fillDimension(written.scope, {
      jurisdictions: joined(({ jurisdictions }) => jurisdictions?.map((code) => code.toUpperCase())),
      counterparties: joined(({ counterparties }) => counterparties),
    }),
    selfInstantiation: fillDimension(written.selfInstantiation, {
      allowed: prefills.some(({ allowsSubAgents }) => allowsSubAgents === true) || undefined,
    }),
  }
  return formatValue(filled)
}

function limitsOf(prefills: readonly ProtocolPrefill[], written: Pdlss['limits'] = {}) {
  const caps = prefills.flatMap(({ spendMax }) => spendMax ?? [])
  const currencies = prefills.flatMap(({ currency }) => currency ?? [])
  const currency = currencies.find((code) => code !== DEFAULT_CURRENCY) ?? currencies[0]
  if (caps.length === 0) return { currency }
  const cap = Math.min(...caps)
  const { autonomousThreshold = 0, stepUpThreshold, approvalThreshold } = written
  const isUsed = written.autonomousThreshold === undefined || approvalThreshold === undefined
  const above = [stepUpThreshold, approvalThreshold].filter((value) => value !== undefined)
  return {
    currency: currency ?? (isUsed ? DEFAULT_CURRENCY : undefined),
    autonomousThreshold: Math.min(cap, ...above),
    approvalThreshold: Math.max(cap, autonomousThreshold, stepUpThreshold ?? 0),
  }
}

/** The written fields, and other known fields; undefined if there are none. */
function fillDimension<Dimension extends object>(
  written: Dimension | undefined,
  known: Partial<Dimension>,
): Dimension | undefined {
  const found = formatValue({ ...known, ...written })
  return written === undefined && Object.keys(found).length === 0 ? undefined : (found as Dimension)
}

function formatValue<Fields extends object>(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields
}

/**
 * Fills in the URL of an A2A block that has none with the agent's challenge URL, which is on the same server. A value
 * that is not a block is returned unchanged, and validation refuses it later.
 *
 * Source: Spec: Commerce protocol declarations, a2a; docs/protocols.md.
 */
export function prefillAgentUrl(a2a: unknown, apiEndpoint: unknown): unknown {
  if (!isJsonObject(a2a)) return a2a
  const isStated = a2a.agentUrl !== null && a2a.agentUrl !== undefined
  return isStated || typeof apiEndpoint !== 'string' ? a2a : { ...a2a, agentUrl: apiEndpoint }
}
