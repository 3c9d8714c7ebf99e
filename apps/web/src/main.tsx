import "@trainwatch/ui/styles.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { DataProvider } from "./data/provider.tsx";
import { createAppRouter } from "./router.tsx";

const place = document.getElementById("root");
if (place === null) throw new Error("index.html has no element with the id root");

createRoot(place).render(
  <StrictMode>
    <DataProvider>
      <RouterProvider router={createAppRouter()} />
    </DataProvider>
  </StrictMode>,
);
