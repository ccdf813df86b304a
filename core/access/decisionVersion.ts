/**
 * Version of the rules by which decisions are made; it stands in every record, because a replay is only meaningful
 * under the rules of then.
 *
 * To be raised with every change after which the same inputs may be decided differently.
 * Source: verification.md "Decisions are reproducible".
 */
export const DECISION_VERSION = 1
