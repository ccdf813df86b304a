import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'

/** A rule that is valid but rarely intended, with its JSON pointer. */
export type LintWarning = { pointer: string; message: string }

type Boundary = NonNullable<PolicyFile['pdlss']>
type EndpointBoundary = NonNullable<NonNullable<PolicyFile['endpoint']>['pdlss']>

/** Finds rules that are valid but rarely intended. Source: Spec: PDLSS object. */
export function lintPolicy(file: PolicyFile): LintWarning[] {
  const endpoint = file.endpoint?.pdlss
  const warnings: LintWarning[] = []
  if (file.pdlss === undefined && endpoint === undefined && file.unverifiedAgentPolicy === undefined) {
    const outcome = file.defaults?.decision ?? 'deny'
    warnings.push({ pointer: '/pdlss', message: `without a boundary, every request gets \`${outcome}\`` })
  }
  if (file.pdlss) warnings.push(...lintBoundary(file.pdlss, '/pdlss'))
  if (endpoint) warnings.push(...lintBoundary(endpoint, '/endpoint/pdlss'))
  return warnings
}

function lintBoundary(boundary: Boundary | EndpointBoundary, at: string): LintWarning[] {
  return [...lintPurpose(boundary, at), ...lintDuration(boundary, at), ...lintLimits(boundary, at)]
}

function lintPurpose({ purpose }: Boundary, at: string): LintWarning[] {
  const denied = new Set((purpose?.deniedActions ?? []).map((action) => action.toLowerCase()))
  return (purpose?.allowedActions ?? []).flatMap((action, index) =>
    denied.has(action.toLowerCase())
      ? [
          {
            pointer: `${at}/purpose/allowedActions/${index}`,
            message: `"${action}" is also denied, which takes precedence`,
          },
        ]
      : [],
  )
}

function lintDuration({ duration }: Boundary, at: string): LintWarning[] {
  const { allowedHours, allowedDays, timezone } = duration ?? {}
  if (allowedDays?.length === 0) {
    return [{ pointer: `${at}/duration/allowedDays`, message: 'an empty list of days allows every day' }]
  }
  if (timezone !== undefined || (allowedHours === undefined && allowedDays === undefined)) return []
  return [{ pointer: `${at}/duration`, message: 'without a timezone, days and hours are in UTC' }]
}

function lintLimits({ limits }: Boundary, at: string): LintWarning[] {
  const { autonomousThreshold, stepUpThreshold, approvalThreshold, currency } = limits ?? {}
  const warnings: LintWarning[] = []
  const thresholds = [autonomousThreshold, stepUpThreshold, approvalThreshold].filter(
    (one) => one !== undefined,
  )
  if (thresholds.length > 0 && currency === undefined) {
    const message = 'without a currency, 100 JPY and 100 USD are the same amount'
    warnings.push({ pointer: `${at}/limits`, message })
  }
  if (thresholds.length === 1) {
    warnings.push({
      pointer: `${at}/limits`,
      message: 'a single threshold is the Hard Limit: no approval is needed below it',
    })
  }
  return warnings
}
