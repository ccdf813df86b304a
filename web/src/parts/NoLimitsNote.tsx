import { Alert } from '@mantine/core'
import { Icon } from './Icon.tsx'
import type { Boundary } from './pdlss/boundaryDimensions.ts'

type Props = { boundary: Boundary; approvalRules?: readonly object[] | undefined }

/** Warns that nothing limits an agent. A boundary cannot be changed later, so this is the moment to say so. */
export function NoLimitsNote({ boundary, approvalRules = [] }: Props) {
  const hasRules = Object.values(boundary).some((rules) => Object.keys(rules ?? {}).length > 0)
  if (hasRules || approvalRules.length > 0) return null
  return (
    <Alert color="red" icon={<Icon name="warning" />} title="Nothing limits this agent" role="status">
      It may do anything, at any counterparty and for any amount, without asking you. The boundary cannot be
      changed after the registration.
    </Alert>
  )
}
