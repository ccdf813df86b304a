import type { UnverifiedAgentPolicy } from '@svc/core/access/facts.ts'

/** The policies for callers without identity, in words. Source: Spec: Unverified-agent policy effects. */
export const policyNames: Readonly<Record<UnverifiedAgentPolicy, string>> = {
  deny: 'Deny',
  audit: 'Let in and audit',
  allow_partial: 'Restricted access',
  allow_full: 'Standard access',
}
