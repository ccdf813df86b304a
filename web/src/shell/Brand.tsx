import { Group, Text, ThemeIcon } from '@mantine/core'
import { Icon } from '../parts/Icon.tsx'
import { followLink } from '../router/navigate.ts'
import classes from './Brand.module.css'

/** Logo and name of the service, linked to the home page. */
export function Brand() {
  return (
    <a href="/" onClick={followLink} style={{ color: 'inherit', textDecoration: 'none' }}>
      <Group gap="xs" wrap="nowrap">
        <ThemeIcon radius="md" size={30}>
          <Icon name="shield" size={20} />
        </ThemeIcon>
        <Text fw={700} fz={{ base: 'md', xs: 'lg' }} span className={classes.name}>
          Agent registry
        </Text>
      </Group>
    </a>
  )
}
