/** What a reviewer compares before an identity counts as verified. All of it is required, and recorded with the decision. */
export const COMPARISONS = ['faces', 'zone', 'name', 'document'] as const

export type Comparison = (typeof COMPARISONS)[number]
