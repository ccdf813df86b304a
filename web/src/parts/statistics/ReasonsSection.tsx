import { Text } from '@mantine/core'
import { describeDimension } from '../words/dimensionWords.ts'
import { RankingSection } from './RankingSection.tsx'

/** Why requests of the last 30 days were denied. */
export function ReasonsSection({ reasons }: { reasons: readonly { dimension: string; count: number }[] }) {
  return (
    <RankingSection
      title="Why requests were denied"
      description="In the last 30 days. A denial for several reasons counts for each of them."
      empty="None was denied."
      items={reasons.map(({ dimension, count }) => ({
        id: dimension,
        name: (
          <Text span inherit title={dimension}>
            {describeDimension(dimension)}
          </Text>
        ),
        count,
      }))}
    />
  )
}
