import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { Icon } from '../parts/Icon.tsx'

/** Switches between light and dark; until used, the system setting applies. */
export function ColorSchemeToggle() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? 'Light mode' : 'Dark mode'
  return (
    <ActionIcon
      variant="default"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
    >
      <Icon name={isDark ? 'sun' : 'moon'} />
    </ActionIcon>
  )
}
