import type { StandingIntervention } from '@svc/core/contract/interventions.ts'
import type { AnswerOf, OperationKey } from '@svc/core/contract/operations.ts'
import type { ReactNode } from 'react'
import type { Resource } from '../../api/call.ts'

type MeasureKey = Extract<
  OperationKey,
  `POST /api/admin/${'accounts' | 'organizations' | 'endpoints' | 'platforms'}/:id/${string}`
>

/** A measure that an operator can take, in the words of the dashboard. */
export type Measure = {
  key: MeasureKey
  /** The list that it changes. */
  list: Resource
  /** Label of its button in the list. */
  label: string
  /** The measure as a question. */
  title: string
  /** Label of the confirming button, to which the passkey is added. */
  action: string
  consequences: readonly string[]
  /** Who is told the reason. */
  told: string
  /** Whether it lifts another measure. */
  isRelief: boolean
  /** What follows the name of the subject once it is done. */
  done: string
  /** Says what remains to be done. */
  describeRest?: (answer: AnswerOf<MeasureKey>) => string
}

/** What a row of a list of operators shows, and what can be done about it. */
export type Subject = {
  /** In paths. */
  id: string
  name: string
  /** Identifies it in the dialog. */
  summary: string
  about: ReactNode
  status: string
  /** Further badges. */
  badges?: ReactNode
  intervention: StandingIntervention | null
  measure: Measure | null
  /** Whether it is the operator’s own. */
  isOwn: boolean
}
