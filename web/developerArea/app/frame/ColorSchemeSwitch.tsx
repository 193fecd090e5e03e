import { type MantineColorScheme, SegmentedControl, useMantineColorScheme, VisuallyHidden } from "@mantine/core";
import { Icon } from "../parts/Icon.tsx";

const choices: { value: MantineColorScheme; name: string; path: string }[] = [
  {
    value: "light",
    name: "Light",
    path: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10zM12 1v3M12 20v3M4.2 4.2l2.1 2.1M17.7 17.7l2.1 2.1M1 12h3M20 12h3M4.2 19.8l2.1-2.1M17.7 6.3l2.1-2.1",
  },
  { value: "dark", name: "Dark", path: "M21 13A9 9 0 1 1 11 3a7 7 0 0 0 10 10z" },
  { value: "auto", name: "As the system", path: "M3 4h18v12H3zM8 21h8M12 16v5" },
];

/** The choice is stored in the browser. */
export function ColorSchemeSwitch() {
  // Otherwise Mantine would disable transitions with a <style> element.
  const { colorScheme, setColorScheme } = useMantineColorScheme({ keepTransitions: true });
  return (
    <SegmentedControl
      size="xs"
      aria-label="Colours"
      value={colorScheme}
      onChange={setColorScheme}
      data={choices.map(({ value, name, path }) => ({
        value,
        label: (
          <span className="color-scheme" title={name}>
            <Icon path={path} size="16" />
            <VisuallyHidden>{name}</VisuallyHidden>
          </span>
        ),
      }))}
    />
  );
}
