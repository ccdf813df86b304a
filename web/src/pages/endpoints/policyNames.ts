import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'

/** Display names of the policies for unidentified callers. Source: Spec: Unverified-agent policy effects. */
export const POLICY_NAMES: Readonly<Record<UnverifiedAgentPolicy, string>> = {
  deny: 'Deny',
  audit: 'Allow and audit',
  allow_partial: 'Restricted access',
  allow_full: 'Standard access',
}
