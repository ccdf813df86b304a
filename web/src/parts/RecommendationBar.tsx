import { Box, Group, SimpleGrid, Stack, Text } from '@mantine/core'

type Props = {
  parts: readonly { name: string; words: string; color: string }[]
  counts: Readonly<Record<string, number>>
}

/** How many decisions came out which way. */
export function RecommendationBar({ parts, counts }: Props) {
  const counted = parts.map((part) => ({ ...part, count: counts[part.name] ?? 0 }))
  const total = counted.reduce((sum, { count }) => sum + count, 0)
  return (
    <Stack gap="sm">
      <Group gap={3} wrap="nowrap" h={12} aria-hidden="true">
        {counted
          .filter(({ count }) => count > 0)
          .map(({ name, count, color }) => (
            <Box
              key={name}
              h={12}
              miw={6}
              bg={`${color}.6`}
              style={{ flexGrow: count / total, borderRadius: 4 }}
            />
          ))}
      </Group>
      <SimpleGrid cols={{ base: 2, xs: 4 }} component="dl" m={0} maw={640}>
        {counted.map(({ name, words, count, color }) => (
          <Stack key={name} gap={0}>
            <Group gap={6} component="dt">
              <Box w={10} h={10} bg={`${color}.6`} style={{ borderRadius: 3 }} />
              <Text size="sm" c="dimmed">
                {words}
              </Text>
            </Group>
            <Text component="dd" m={0} fz={26} fw={650}>
              {count}
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Stack>
  )
}
