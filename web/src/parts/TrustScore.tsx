import { Group, RingProgress, Text } from '@mantine/core'

/** Lower bounds of the access levels. Spec: Trust score to access level. */
const BANDS = [
  { from: 70, color: 'teal', level: 'full' },
  { from: 40, color: 'indigo', level: 'standard' },
  { from: 20, color: 'orange', level: 'read-only' },
  { from: 0, color: 'red', level: 'none or restricted' },
]

/** A trust score from 0 to 100, with the access level it grants. */
export function TrustScore({
  score,
  size = 44,
  withLevel,
}: {
  score: number
  size?: number
  withLevel?: boolean
}) {
  const band = BANDS.find(({ from }) => score >= from)
  const isSmall = size < 60
  return (
    <Group gap="sm" wrap="nowrap">
      <RingProgress
        size={size}
        thickness={isSmall ? 4 : 7}
        roundCaps
        sections={[{ value: score, color: band?.color ?? 'gray' }]}
        label={
          <Text ta="center" fw={650} fz={isSmall ? 12 : 22} aria-label={`Trust score ${score} out of 100`}>
            {score}
          </Text>
        }
      />
      {withLevel && (
        <Text size="sm" c="dimmed">
          Trust score. Access level, within the boundary:{' '}
          <Text span fw={600} c="bright">
            {band?.level}
          </Text>
        </Text>
      )}
    </Group>
  )
}
