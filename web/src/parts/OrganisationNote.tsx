import { Button, Group, Text } from '@mantine/core'
import { useChosenOrganisation } from '../api/useChosenOrganisation.ts'

/** Says above a list that it shows only those of the chosen organisation, and leads back to all. */
export function OrganisationNote() {
  const { chosen, choose } = useChosenOrganisation()
  if (chosen === null) return null
  return (
    <Group gap="xs" mb="sm">
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        Only of {chosen.name}.
      </Text>
      <Button size="compact-sm" variant="subtle" onClick={() => choose(null)}>
        Show all
      </Button>
    </Group>
  )
}
