import { QueryClientProvider, type QueryClient } from "@tanstack/react-query";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { createContact, type Contact } from "./contact.ts";
import { followLive } from "./live.ts";
import { createQueryClient } from "./query-client.ts";
import { createRefresher } from "./refresher.ts";
import { createSession, type Session } from "./session.ts";
import { createApiClient, TRPCProvider, type ApiClient } from "./trpc.ts";

interface DataServices {
  readonly contact: Contact;
  readonly session: Session;
  readonly client: ApiClient;
  readonly queries: QueryClient;
}

const DataContext = createContext<DataServices | null>(null);

function createServices(): DataServices {
  const contact = createContact(Date.now);
  const session = createSession();
  return { contact, session, client: createApiClient(contact), queries: createQueryClient(session) };
}

export function useDataServices(): DataServices {
  const services = use(DataContext);
  if (services === null) throw new Error("useDataServices is used outside DataProvider");
  return services;
}

/** Everything below can ask the server. One provider a page load. */
export function DataProvider({ children }: { readonly children: ReactNode }) {
  const [services] = useState(createServices);
  return (
    <DataContext value={services}>
      <QueryClientProvider client={services.queries}>
        <TRPCProvider trpcClient={services.client} queryClient={services.queries}>
          {children}
        </TRPCProvider>
      </QueryClientProvider>
    </DataContext>
  );
}

/** Keeps the page moving with the server while mounted; mounted once, by the shell, when signed in. */
export function useLiveMoves(): void {
  const { client, contact, queries } = useDataServices();
  useEffect(() => {
    const refresher = createRefresher(queries, {
      isHidden: () => document.visibilityState === "hidden",
      onVisible: (listener) => {
        const onChange = (): void => {
          if (document.visibilityState === "visible") listener();
        };
        document.addEventListener("visibilitychange", onChange);
        return () => document.removeEventListener("visibilitychange", onChange);
      },
      now: Date.now,
    });
    const stop = followLive(client, contact, refresher);
    return () => {
      stop();
      refresher.stop();
    };
  }, [client, contact, queries]);
}
