import type { PolicyFile } from '@svc/core/policyFile/policyFile.ts'

/** Something legal that is seldom meant, at a JSON pointer. */
export type LintWarning = { pointer: string; message: string }

type Boundary = NonNullable<PolicyFile['pdlss']>
type EndpointBoundary = NonNullable<NonNullable<PolicyFile['endpoint']>['pdlss']>

/** Finds what a policy may say but its author has hardly meant. Source: verification.md, PDLSS. */
export function lintPolicy(file: PolicyFile): LintWarning[] {
  const endpoint = file.endpoint?.pdlss
  const warnings: LintWarning[] = []
  if (file.pdlss === undefined && endpoint === undefined && file.unverifiedAgentPolicy === undefined) {
    const outcome = file.defaults?.decision ?? 'deny'
    warnings.push({ pointer: '/pdlss', message: `there is no boundary: every request gets \`${outcome}\`` })
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
            message: `"${action}" is denied as well, which wins`,
          },
        ]
      : [],
  )
}

function lintDuration({ duration }: Boundary, at: string): LintWarning[] {
  const { allowedHours, allowedDays, timezone } = duration ?? {}
  if (allowedDays?.length === 0) {
    return [{ pointer: `${at}/duration/allowedDays`, message: 'no day is listed, which allows every day' }]
  }
  if (timezone !== undefined || (allowedHours === undefined && allowedDays === undefined)) return []
  return [{ pointer: `${at}/duration`, message: 'there is no timezone: days and hours are those of UTC' }]
}

function lintLimits({ limits }: Boundary, at: string): LintWarning[] {
  const { autonomousThreshold, stepUpThreshold, approvalThreshold, currency } = limits ?? {}
  const warnings: LintWarning[] = []
  const thresholds = [autonomousThreshold, stepUpThreshold, approvalThreshold].filter(
    (one) => one !== undefined,
  )
  if (thresholds.length > 0 && currency === undefined) {
    const message = 'there is no currency: 100 JPY and 100 USD are the same amount here'
    warnings.push({ pointer: `${at}/limits`, message })
  }
  if (thresholds.length === 1) {
    warnings.push({
      pointer: `${at}/limits`,
      message: 'one threshold is the Hard Limit: nobody is asked below it',
    })
  }
  return warnings
}
