import { createTheme, MantineProvider } from "@mantine/core";
import type { ReactNode } from "react";

const theme = createTheme({ primaryColor: "teal", respectReducedMotion: true, cursorType: "pointer" });

/** The theme. Mantine's variables and global classes are in the style sheets, because the page must not need <style> elements. */
export function Theme({ children }: { children: ReactNode }) {
  return (
    <MantineProvider theme={theme} defaultColorScheme="auto" withCssVariables={false} withGlobalClasses={false}>
      {children}
    </MantineProvider>
  );
}
