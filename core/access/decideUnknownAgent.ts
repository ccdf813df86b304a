import type { Decision } from './decision.ts'
import { denied } from './denied.ts'
import { findingOf } from './findings.ts'

/** Decides on a request that names an agent no one has registered: denied on `agent.identity`, and no session. Spec: Events. */
export function decideUnknownAgent(): Decision {
  return denied(findingOf('agent.identity'))
}
