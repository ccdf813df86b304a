import type { ApprovalRule } from '@svc/core/access/approvalRules.ts'

type RuleDimension = ApprovalRule['dimension']

type Entry = { title: string; effect: string; lists: readonly (readonly [name: string, label: string])[] }

/** What a rule on each dimension does, and the lists that narrow it. Source: verification.md "Owner's approval rules". */
export const approvalRuleFields: Readonly<Record<RuleDimension, Entry>> = {
  spend: {
    title: 'Spend',
    effect: 'Spend between your thresholds always asks you; with an amount, it asks from there on already.',
    lists: [],
  },
  purpose: {
    title: 'Purpose',
    effect: 'What would be granted asks you first.',
    lists: [
      ['categories', 'Only for categories'],
      ['actions', 'Only for actions'],
    ],
  },
  duration: {
    title: 'Duration',
    effect: 'Outside its days, hours or session length the agent asks you instead of being denied.',
    lists: [],
  },
  scope: {
    title: 'Scope',
    effect: 'Outside its scope the agent asks you instead of being denied.',
    lists: [
      ['resources', 'Only for resources (globs)'],
      ['jurisdictions', 'Only for jurisdictions'],
      ['counterparties', 'Only for hosts of counterparties'],
    ],
  },
  selfInstantiation: {
    title: 'Self-instantiation',
    effect: 'Each sub-agent that would be granted asks you first.',
    lists: [['purposes', 'Only for purposes']],
  },
}
