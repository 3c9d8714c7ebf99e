import { EmptyState, HiddenHeading, Page } from "@trainwatch/ui";
import { ButtonLink } from "../routing/link.tsx";

export function NotFoundPage() {
  return (
    <Page label="Not found">
      <title>Not found · Trainwatch</title>
      <HiddenHeading>Not found</HiddenHeading>
      <EmptyState
        title="There is no such page"
        action={
          <ButtonLink to="/" size="small">
            Overview
          </ButtonLink>
        }
      >
        The link may be cut, or from a version that had another page here.
      </EmptyState>
    </Page>
  );
}
