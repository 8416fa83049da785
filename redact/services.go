package redact

// rareServices are names that hardly stand before anything but what the service gave out: hidden beside them are checksums too.
const rareServices = " " +
	"abuseipdb abyssale accuweather adafruitio adobeio adzuna aeroworkflow airbrake airtable airvisual aiven alconost alegra " +
	"aletheiaapi algolia alibaba alienvault aliyun allsports ambee amplitude anthropic anypoint anyscale apacta api2cart apideck " +
	"apiflash apifonica apify apilayer apimatic apimetrics apitemplate appcues appfollow appointedd appoptics appsynergy apptivo " +
	"arize artifactory assemblyai atera audd auth0 autodesk autoklose avaza aviationstack axiomco ayrshare backblaze bannerbear " +
	"baremetrics baseapiio baseten beebole besnappy betterstack billomat bitbar bitcoinaverage bitfinex bitly bitmex blazemeter " +
	"blitapp blocknative bombbomb borgbase braintree brandfetch brightdata browserbase browserless browserstack browshot buddyns " +
	"budibase bugherd bugsnag bulksms buttercms caflou calendarific calendly calorieninja campayn cannyio capsulecrm captaindata " +
	"carboninterface cartesia cashboard censys centralstationcrm cerebras cexio chargebee chartmogul chatfuel checklyhq checkvist " +
	"clarifai clearbit clickhelp clicksend clickup cliengo clinchpad clockify clockworksms cloudconvert cloudelements cloudinary " +
	"cloudmersive cloudplan cloudsmith cloudways cloverly clustdoc codacy codeclimate codemagic codequiry cohere coinapi coinbase " +
	"coinlayer coinlib coinmarketcap commercejs companyhub contentful conversiontools convertapi convertkit coreweave countrylayer " +
	"coveralls craftmypdf cronofy crossbrowsertesting crowdin cryptocompare currencycloud currencyfreaks currencylayer currencyscoop " +
	"currentsapi customerio d7network dareboost databricks datadog datarobot daytona deepai deepgram deepinfra deepl deepseek " +
	"detectify detectlanguage dfuse diffbot diggernaut disqus dnscheck dnsimple docparser documo docusign dotdigital dovico dronahq " +
	"duply dwolla dynalist dynatrace e2b eagleeyenetworks easyinsight edamam edenai eightxeight elasticemail elevenlabs enablex " +
	"endorlabs etherscan ethplorer eventbrite everhour exaai exchangerateapi exchangeratesapi exportsdk extractorapi faceplusplus " +
	"facepp fakejson fastforex fastly fetchrss fibery fileio finage findl finicity finnhub firecrawl fireworksai fixerio flagsmith " +
	"flatio fleetbase flightapi flightlabs flightstats flowflu flutterwave fmfw formbucket formcraft formio formsite foursquare " +
	"frameio freshbooks freshdesk fullstory fxmarket geckoboard gengo geoapify geocodify geocodio geoipifi getemail getemails " +
	"getgeoapi getgist getresponse getsandbox glassnode gocanvas gocardless graphcms graphhopper greptile groovehq groq growthbook " +
	"gtmetrix gumroad gyazo happyscribe helicone hellosign helpcrunch helpscout hereapi highlightio hiveage holidayapi html2pdf " +
	"hubspot huggingface hyperbrowser hyperdx hypertrack iconfinder iexapis iexcloud imagekit imagga incidentio infura inngest " +
	"insightly instabot instamojo integromat interseller intra42 intrinio invoiceocean ip2location ipapi ipgeolocation ipify ipinfo " +
	"ipinfodb ipquality ipstack jotform jumpcloud kagi kanbantool karmacrm keenio kickbox klaviyo klipfolio knapsackpro kucoin kylas " +
	"lakera lambdalabs langchain langfuse langsmith languagelayer larksuite launchdarkly leadfeeder lemonsqueezy lendflow letta " +
	"lexigram linemessaging linenotify linkpreview litellm livechat livestorm llamacloud llamaindex loadmill locationiq loginradius " +
	"logrocket logzio lokalise loyverse lumaai lunchmoney macaddress madkudu mailboxlayer mailchimp mailerlite mailgun mailjet " +
	"mailmodo mailsac mailtrap mandrill mapbox mapillary mapquest marketstack mattermost mavenlink maxmind meaningcloud mediastack " +
	"meistertask mem0 mercadopago mesibo messagebird metaapi metrilo mindmeister mistral mixpanel mockaroo moonclerk moosend moralis " +
	"motherduck mrticktock myfreshworks myintervals nebius neondb nethunt neutrinoapi newrelic newsapi newscatcher nexmo nftport " +
	"ngrok nicereply novita novu numverify nutritionix nylas nytimes oanda okta omnisend onedesk onelogin onepagecrm onesignal " +
	"onwaterio oopspam openai opencage opencagedata opengraphr openrouter openuv openweather openweathermap opsgenie optimizely " +
	"overloop owlbot owm oxylabs packagecloud pagarme pagerduty pandadoc pandascore paperform paralleldots parsehub parseur " +
	"partnerstack paydirtapp paymongo paystack pdflayer pdfshift peopledatalabs pepipost perplexity photoroom pinata pinecone " +
	"pipedream pipedrive pivotaltracker pixabay planetscale planviewleankit planyo playht plivo podio polarsh pollsapi poloniex " +
	"portkey positionstack postageapp posthog postmark powrbot prodpad promptlayer prospectcrm protocolsio proxycrawl pscale pubnub " +
	"pushbullet pusher pushover pyowm qase qdrant qualaroo qubole rapidapi razorpay readthedocs reallysimplesystems rebrandly " +
	"recaptcha rechargepayments recraft recurly rentman repairshopr requestfinance resend restpack revampcrm revenuecat ringcentral " +
	"ritekit rocketreach rollbar roninapp rootly route4me runpod runrunit runscope salesblink salescookie salesflare salesmate " +
	"sambanova satismeter saucelabs scaleway scalr scrapeowl scraperapi scraperbox scrapersite scrapestack scrapfly scrapingant " +
	"scrapingbee screenshotapi screenshotlayer scrutinizerci securitytrails selectpdf sendbird sendgrid sendinblue serpapi serpdog " +
	"serper serphouse serpstack sherpadesk shipday shippo shodan shotstack shutterstock signalwire signaturit signupgenius sigopt " +
	"siliconflow simfin simplesat simplynoted simvoly sinchmessage singlestore siteleaf skrapp skrappio skybiometry smartsheets " +
	"smartystreets snipcart soniox sourcegraph sparkpost speechtext speechtextai splunk spoonacular sportmonks sportradar " +
	"squarespace sslmate stabilityai statsig statuscake statuspage statuspal stitchdata stockdata storecove stormboard stormglass " +
	"storyblok storychief stripo stytch sugester sumologic supernotes surveyanyplace surveybot surveysparrow survicate swiftype " +
	"tallyfy tatumio tavily taxjar teamgate teamwork teamworkcrm teamworkdesk teamworkspaces tefter telnyx testingbot text2data " +
	"textmagic theoddsapi thingsboard thinkific thousandeyes ticketmaster tickettailor tiingo timecamp timezoneapi tinybird tmetric " +
	"todoist togetherai toggl toggltrack tokeet tomorrowio tomtom tradier transferwise travelpayouts trello turbopuffer twelvedata " +
	"twilio tyntec typeform typetalk ubidots uclassify unifyid unplugg unsplash upcdatabase uplead uploadcare upstash upwave urlscan " +
	"userflow userstack vapi vastai vatlayer veevavault verimail veriphone versioneye viewneo virustotal visualcrossing voiceflow " +
	"voicegain voodoosms voyageai vpnapi vultr wakatime walkscore wandb weatherapi weatherbit weatherstack weaviate web3storage " +
	"webflow webscraper webscraping websitepulse wepay whoxy workos worksnaps worldcoinindex worldweather wrike xata ynab " +
	"youneedabudget yousign zendesk zenkit zenrows zenscrape zenserp zeplin zerobounce zerotier zilliz zillow zipbooks zipcodeapi " +
	"zipcodebase zonkafeedback zoominfo zulipchat "

// commonServices are names that also stand before commits, builds and images, and words of plain English.
const commonServices = " " +
	"adobe asana atlassian aws azure beamer bitbucket blogger canva circleci clerk clickhouse clojars cloudflare coda codecov " +
	"confluent convex courier dailyco deepmind deputy digitalocean discord doppler dropbox ebay elastic etsy facebook fal " +
	"figma firebase flickr gcp gitlab gitter grafana harness harvest hasura heroku honeycomb instagram intercom jenkins jfrog jira " +
	"kraken linear linkedin logdna loggly meraki miro moonshot nasdaq neon netcore netlify nightfall noticeable notion nozbe nuget " +
	"onfido paypal perplexityai plaid postman prefect prisma pulumi qualtrics railway ramp raven refiner replicate rubygems " +
	"salesforce segment semaphore sentry shopify shortcut slack smooch snowflake sonarcloud sonarqube spotify strava stripe sumo " +
	"supabase tailscale telegram terraform tines turso twist twitch twitter unleash vercel webex xai yandex yelp zapier zhipu zoho "
