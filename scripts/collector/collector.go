package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/open-telemetry/opentelemetry-collector-contrib/exporter/fileexporter"
	"go.opentelemetry.io/collector/component"
	"go.opentelemetry.io/collector/confmap"
	"go.opentelemetry.io/collector/confmap/provider/yamlprovider"
	"go.opentelemetry.io/collector/exporter"
	"go.opentelemetry.io/collector/otelcol"
	"go.opentelemetry.io/collector/processor"
	"go.opentelemetry.io/collector/processor/batchprocessor"
	"go.opentelemetry.io/collector/receiver"
	"go.opentelemetry.io/collector/receiver/otlpreceiver"
	"go.opentelemetry.io/collector/service/telemetry/otelconftelemetry"
)

// newCollector builds an OpenTelemetry collector of just the parts that the check needs.
func newCollector(config string) (*otelcol.Collector, error) {
	return otelcol.NewCollector(otelcol.CollectorSettings{
		BuildInfo:               component.BuildInfo{Command: "collector", Version: "check"},
		DisableGracefulShutdown: true,
		Factories:               factories,
		ConfigProviderSettings: otelcol.ConfigProviderSettings{ResolverSettings: confmap.ResolverSettings{
			URIs:              []string{"yaml:" + config},
			ProviderFactories: []confmap.ProviderFactory{yamlprovider.NewFactory()},
		}},
	})
}

func factories() (f otelcol.Factories, err error) {
	if f.Receivers, err = otelcol.MakeFactoryMap[receiver.Factory](otlpreceiver.NewFactory()); err != nil {
		return f, err
	}
	if f.Processors, err = otelcol.MakeFactoryMap[processor.Factory](batchprocessor.NewFactory()); err != nil {
		return f, err
	}
	f.Exporters, err = otelcol.MakeFactoryMap[exporter.Factory](fileexporter.NewFactory())
	f.Telemetry = otelconftelemetry.NewFactory()
	return f, err
}

// config takes logs on an address, gathers them to batches and writes them to a file, one JSON object a batch.
func config(address, file string) string {
	lines := []string{
		"receivers: {otlp: {protocols: {http: {endpoint: %q}}}}",
		"processors: {batch: {timeout: 200ms}}",
		"exporters: {file: {path: %q}}",
		"service:",
		"  telemetry: {metrics: {level: none}, logs: {level: error}}",
		"  pipelines: {logs: {receivers: [otlp], processors: [batch], exporters: [file]}}",
	}
	return fmt.Sprintf(strings.Join(lines, "\n"), address, file)
}

// start runs a collector until stop is called, which gives its error.
func start(address, file string) (stop func() error, err error) {
	c, err := newCollector(config(address, file))
	if err != nil {
		return nil, err
	}
	done := make(chan error, 1)
	go func() { done <- c.Run(context.Background()) }()
	for end := time.Now().Add(time.Minute); c.GetState() != otelcol.StateRunning; time.Sleep(20 * time.Millisecond) {
		select {
		case err := <-done:
			return nil, fmt.Errorf("collector: %w", err)
		default:
		}
		if time.Now().After(end) {
			return nil, errors.New("collector: not running after a minute")
		}
	}
	return func() error {
		c.Shutdown()
		return <-done
	}, nil
}
