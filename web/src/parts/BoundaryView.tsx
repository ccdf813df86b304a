import { Alert, List, Stack, Text } from '@mantine/core'
import { type PdlssSide, parsePdlss } from '@svc/core/pdlss/pdlss.ts'
import { Icon } from './Icon.tsx'
import type { Boundary } from './pdlss/boundaryDimensions.ts'
import { describeBoundary, limitsNothing } from './pdlss/describeBoundary.ts'
import { revealText } from './revealText.ts'

const NOTHING = {
  agent: 'Nothing limits what this agent does, when, where, and how much it spends.',
  endpoint: 'This boundary limits nothing: what agents may do here is up to their owners.',
} as const

/** A boundary in sentences; one without any rule says in red that it limits nothing. */
export function BoundaryView({ boundary, side }: { boundary: Boundary; side: PdlssSide }) {
  const parsed = parsePdlss(boundary, side)
  if (!parsed.ok) {
    return (
      <Text size="sm" c="dimmed">
        Once all fields are valid, this says what they amount to.
      </Text>
    )
  }
  const dimensions = describeBoundary(parsed.pdlss, side)
  const isEmpty = limitsNothing(parsed.pdlss)
  const free = dimensions.filter(({ sentences }) => sentences.length === 0).map(({ title }) => title)
  return (
    <Stack gap="md">
      {isEmpty && (
        <Alert color="red" icon={<Icon name="warning" />} title="No limits">
          {NOTHING[side]}
        </Alert>
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
