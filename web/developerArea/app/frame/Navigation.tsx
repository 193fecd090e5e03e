import { VisuallyHidden } from "@mantine/core";
import { Icon } from "../parts/Icon.tsx";

export function Navigation() {
  return (
    <nav className="frame-navigation" id="frame-navigation" aria-label="Admin">
      <p id="frame-tools">Tools</p>
      <ul aria-labelledby="frame-tools">
        <li>
          <a href="#keys" aria-current="page">
            Developer area
          </a>
        </li>
        <li>
          <a href="/docs" target="_blank" rel="noopener">
            API reference <Icon path="M7 17 17 7M8 7h9v9" />
            <VisuallyHidden>(opens in a new tab)</VisuallyHidden>
          </a>
        </li>
      </ul>
    </nav>
  );
}
