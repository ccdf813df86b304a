import type { ApprovalRule } from './approvalRules.ts'

/** The rules of a new agent: spend between its Autonomous Limit and its Hard Limit asks the owner. */
export const DEFAULT_APPROVAL_RULES: readonly ApprovalRule[] = [{ dimension: 'spend', match: {} }]
