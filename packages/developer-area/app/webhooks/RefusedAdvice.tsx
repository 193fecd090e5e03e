import { Anchor, Text } from "@mantine/core";

const guide = "/docs#description/webhooks/if-genuine-messages-are-refused";

/** Advice about a response of 400, with which the guides' receivers refuse a signature. */
export function RefusedAdvice() {
  return (
    <Text size="sm">
      A receiver usually responds with 400 because it could not verify the signature.{" "}
      <Anchor href={guide} target="_blank" rel="noopener" underline="always" inherit>
        How to find the cause
      </Anchor>
    </Text>
  );
}
