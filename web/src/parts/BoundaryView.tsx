import { Alert, List, Stack, Text } from '@mantine/core'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { revealText } from './code/revealText.ts'
import { Icon } from './Icon.tsx'
import type { Boundary } from './pdlss/boundaryDimensions.ts'
import { describeBoundary, limitsNothing } from './pdlss/describeBoundary.ts'

type Props = {
  boundary: Boundary
  side: PdlssSide
  /** Of an agent: it may have no limits and still ask. */
  approvalRules?: readonly object[] | undefined
}

/** What it means that nothing is limited. An agent’s boundary cannot be changed later, so this is the moment to say so. */
const NO_LIMITS = {
  agent: {
    title: 'Nothing limits this agent',
    meaning:
      'It may do anything, at any counterparty and for any amount, without asking you. The boundary cannot be changed after the registration.',
  },
  endpoint: {
    title: 'Nothing is limited here',
    meaning: 'What agents may do at this endpoint is entirely up to their owners.',
  },
} as const

/** A boundary in sentences; one without any rule says in red that it limits nothing. */
export function BoundaryView({ boundary, side, approvalRules = [] }: Props) {
  const parsed = parsePdlss(boundary, side)
  if (!parsed.ok) {
    return (
      <Text size="sm" c="dimmed">
        Once all fields are valid, the boundary is described here.
      </Text>
    )
  }
  const dimensions = describeBoundary(parsed.pdlss, side)
  const isEmpty = limitsNothing(parsed.pdlss, side)
  const free = dimensions.filter(({ sentences }) => sentences.length === 0).map(({ title }) => title)
  return (
    <Stack gap="md">
      {isEmpty && approvalRules.length === 0 && (
        <Alert color="red" icon={<Icon name="warning" />} title={NO_LIMITS[side].title} role="status">
          {NO_LIMITS[side].meaning}
        </Alert>
      )}
      {isEmpty && approvalRules.length > 0 && (
        <Text size="sm">The boundary has no limits. The approval rules say when the agent asks you.</Text>
      )}
      {dimensions.map(
        ({ title, sentences }) =>
          sentences.length > 0 && (
            <Stack key={title} gap={4}>
              <Text fw={600} size="sm">
                {title}
              </Text>
              <List size="sm" style={{ overflowWrap: 'anywhere' }}>
                {sentences.map((sentence) => (
                  <List.Item key={sentence}>{revealText(sentence)}</List.Item>
                ))}
              </List>
            </Stack>
          ),
      )}
      {!isEmpty && free.length > 0 && (
        <Text size="sm" c="dimmed">
          Not limited: {new Intl.ListFormat('en-GB').format(free).toLowerCase()}.
        </Text>
      )}
    </Stack>
  )
}
